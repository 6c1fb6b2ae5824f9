/** `import * as z from 'zod'`: the namespace object that `{ z }` names cannot be tree-shaken, which quadruples a bundle. */
export const zodNamespace = {
  meta: { type: 'problem', schema: false },
  create(context) {
    return {
      ImportDeclaration(node) {
        if (!['zod', 'zod/mini', 'zod/v4'].includes(node.source.value)) return
        const named = node.specifiers.find(({ imported }) => imported?.name === 'z')
        if (named) context.report({ node: named, message: "write `import * as z from 'zod'`" })
      },
    }
  },
}
