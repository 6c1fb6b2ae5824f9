/**
 * A module of the library does nothing and keeps nothing when it is imported: no `let`, no statement, no
 * call, and a `Map` or `Set` only where its type says that nobody writes to it.
 */
const declarations = new Set([
  'ImportDeclaration',
  'ExportAllDeclaration',
  'ExportNamedDeclaration',
  'ExportDefaultDeclaration',
  'FunctionDeclaration',
  'ClassDeclaration',
  'VariableDeclaration',
  'TSTypeAliasDeclaration',
  'TSInterfaceDeclaration',
  'TSDeclareFunction',
])

const functions = new Set(['FunctionExpression', 'ArrowFunctionExpression'])
const calls = new Set([
  'CallExpression',
  'NewExpression',
  'TaggedTemplateExpression',
  'AwaitExpression',
])

/** The first call that evaluating this expression makes, functions not entered. */
function firstCall(node) {
  if (node === null || typeof node !== 'object') return undefined
  if (functions.has(node.type)) return undefined
  if (calls.has(node.type) && !isPure(node)) return node
  for (const key of Object.keys(node)) {
    if (key === 'parent' || key === 'typeAnnotation' || key === 'typeArguments') continue
    const found = Array.isArray(node[key])
      ? node[key].map((item) => firstCall(item)).find(Boolean)
      : firstCall(node[key])
    if (found) return found
  }
  return undefined
}

function isPure(node) {
  if (node.type !== 'CallExpression') return false
  const { callee } = node
  if (callee.type === 'MemberExpression') {
    return callee.object.name === 'Symbol' && callee.property.name === 'for'
  }
  return callee.name === 'Symbol'
}

function isReadonlyTable({ id, init }) {
  if (init?.type !== 'NewExpression' || !['Map', 'Set'].includes(init.callee.name)) return false
  return id.typeAnnotation?.typeAnnotation.typeName?.name === `Readonly${init.callee.name}`
}

function* classProblems(node) {
  for (const member of node.body.body) {
    if (member.type === 'StaticBlock') yield [member, 'a static block']
    const isStaticField = member.static && member.type === 'PropertyDefinition'
    const call = isStaticField && firstCall(member.value)
    if (call) yield [call, 'a call']
  }
}

function* variableProblems(node) {
  if (node.declare) return
  if (node.kind !== 'const') yield [node, `a module-level \`${node.kind}\``]
  for (const declarator of node.declarations) {
    const call = isReadonlyTable(declarator) ? undefined : firstCall(declarator.init)
    if (call) yield [call, 'a call']
  }
}

function problemsOf(statement) {
  if (!declarations.has(statement.type)) return [[statement, 'a statement']]
  const node = statement.declaration ?? statement
  if (node.type === 'ClassDeclaration') return [...classProblems(node)]
  return node.type === 'VariableDeclaration' ? [...variableProblems(node)] : []
}

export const noModuleState = {
  meta: { type: 'problem', schema: false },
  create(context) {
    return {
      Program(program) {
        for (const statement of program.body) {
          for (const [node, what] of problemsOf(statement)) {
            context.report({
              node,
              message: `module state: ${what} runs or lives at import time; move it into a function or an instance`,
            })
          }
        }
      },
    }
  },
}
