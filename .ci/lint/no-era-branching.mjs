/**
 * What differs between the generations of the protocol lives behind the `Era` interface, so elsewhere
 * nobody compares against an era's name or spells a revision.
 */
const eras = new Set(['modern', 'legacy'])
const revision = /^\d{4}-\d{2}-\d{2}$/

const isEra = (node) => node?.type === 'Literal' && eras.has(node.value)

export const noEraBranching = {
  meta: { type: 'problem', schema: false },
  create(context) {
    const branch = (node) =>
      context.report({
        node,
        message: 'branching on an era: put the difference behind the Era interface',
      })
    return {
      BinaryExpression(node) {
        if (!node.operator.endsWith('==')) return
        if (isEra(node.left) || isEra(node.right)) branch(node)
      },
      SwitchCase(node) {
        if (isEra(node.test)) branch(node)
      },
      Literal(node) {
        if (typeof node.value !== 'string' || !revision.test(node.value)) return
        context.report({ node, message: 'a revision is spelled in protocol/versions.ts only' })
      },
    }
  },
}
