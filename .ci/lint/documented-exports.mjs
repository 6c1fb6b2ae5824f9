/** Every file says what it is for with a module doc, and every exported declaration states its fact. */
const declared = (node) =>
  node.declaration?.id?.name ?? node.declaration?.declarations?.[0]?.id?.name

export const documentedExports = {
  meta: { type: 'suggestion', schema: false },
  create(context) {
    const docs = context.sourceCode
      .getAllComments()
      .filter((comment) => comment.type === 'Block' && comment.value.startsWith('*'))
    const text = context.sourceCode.text
    const declarations = docs.filter((doc) => !doc.value.includes('@module'))
    const hasDoc = (node) =>
      declarations.some(
        (doc) => doc.end <= node.start && text.slice(doc.end, node.start).trim() === '',
      )
    return {
      Program(program) {
        if (!docs.some((doc) => doc.value.includes('@module'))) {
          context.report({
            node: program,
            message: 'no module doc: open the file with one that ends in @module',
          })
        }
        const seen = new Set()
        for (const node of program.body) {
          if (node.type !== 'ExportNamedDeclaration' || !node.declaration) continue
          const name = declared(node)
          // Overloads share the docstring of the first.
          if (!hasDoc(node) && !seen.has(name)) {
            context.report({ node, message: `${name} is exported without a docstring` })
          }
          seen.add(name)
        }
      },
    }
  },
}
