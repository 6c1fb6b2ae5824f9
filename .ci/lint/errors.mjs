/** How errors are caught, thrown and put on the wire. */
import { repositoryPath } from './repository-path.mjs'

const problem = { type: 'problem', schema: false }

const nameOf = (property) => property.key?.name ?? property.key?.value

const valueOf = (object, name) =>
  object?.type === 'ObjectExpression'
    ? object.properties.find((property) => nameOf(property) === name)?.value
    : undefined

/** An empty handler is a decision, so it carries a comment that says why nothing is to be done. */
export const noEmptyCatch = {
  meta: problem,
  create(context) {
    function check(node, body) {
      if (body?.type !== 'BlockStatement' || body.body.length > 0) return
      const text = context.sourceCode.getText(body)
      if (text.includes('//') || text.includes('/*')) return
      context.report({
        node,
        message: 'an empty catch says why nothing is to be done, or does something',
      })
    }
    return {
      CatchClause: (node) => check(node, node.body),
      CallExpression(node) {
        if (node.callee.property?.name === 'catch') check(node, node.arguments[0]?.body)
      },
    }
  },
}

/** A peer's mistake is an `McpError`, a programmer's a `TypeError`; a bare `Error` is neither. */
export const throwKnownErrors = {
  meta: problem,
  create(context) {
    function check(node) {
      if (node.callee.name !== 'Error') return
      context.report({
        node,
        message: 'a bare Error: use an McpError for the peer, a TypeError for the programmer',
      })
    }
    return { NewExpression: check, CallExpression: check }
  },
}

const errorObjects = ['src/protocol/errors.ts']
const errorResponses = ['src/http/responses.ts', 'src/auth/challenge.ts']

/** JSON-RPC error objects and error responses are each built in one place. */
export const onePlaceForErrors = {
  meta: problem,
  create(context) {
    const path = repositoryPath(context)
    function checkResponse(node, init) {
      if (errorResponses.includes(path)) return
      const status = valueOf(init, 'status')
      if (status === undefined || (status.type === 'Literal' && status.value < 400)) return
      context.report({
        node,
        message: `error responses are built in ${errorResponses.join(' and ')}`,
      })
    }
    return {
      ObjectExpression(node) {
        if (errorObjects.includes(path)) return
        const error = valueOf(node, 'error')
        if (valueOf(error, 'code') === undefined && !(valueOf(node, 'jsonrpc') && error)) return
        context.report({
          node,
          message: `JSON-RPC errors are built in ${errorObjects.join(' and ')}`,
        })
      },
      NewExpression(node) {
        if (node.callee.name === 'Response') checkResponse(node, node.arguments[1])
      },
      CallExpression(node) {
        if (node.callee.object?.name === 'Response') checkResponse(node, node.arguments[1])
      },
    }
  },
}
