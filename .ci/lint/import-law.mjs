/**
 * Imports only go down the table of `.oxlintrc.json`. A row names a layer, the layers of `src` it may
 * import besides itself, and the packages: `node:*` for Node's own modules, `mcp-edge` for this package
 * by its own name, `*` for any package.
 */
import { repositoryPath, resolveSpecifier } from './repository-path.mjs'

const layerOf = (path, rows) =>
  rows.find((row) => path === row.layer || path.startsWith(`${row.layer}/`))

const packageOf = (specifier) =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')

function mayUsePackage(row, specifier) {
  const allowed = row.npm.split(' ')
  if (specifier.startsWith('node:')) return allowed.includes('node:*') || allowed.includes('*')
  return allowed.includes(packageOf(specifier)) || allowed.includes('*')
}

function mayUseFile(row, target) {
  if (target === row.layer || target.startsWith(`${row.layer}/`)) return true
  return row.may.split(' ').some((name) => name !== '' && target.startsWith(`src/${name}/`))
}

export const importLaw = {
  meta: { type: 'problem', schema: false },
  create(context) {
    const path = repositoryPath(context)
    const rows = context.options[0]
    const row = layerOf(path, rows)
    if (row === undefined) {
      if (!path.startsWith('src/')) return {}
      return {
        Program: (node) =>
          context.report({
            node,
            message: `${path} is in no layer: give it a row in the import law`,
          }),
      }
    }
    function check(node, source) {
      if (source?.type !== 'Literal' || typeof source.value !== 'string') return
      const specifier = source.value
      const relative = specifier.startsWith('.')
      const allowed = relative
        ? mayUseFile(row, resolveSpecifier(path, specifier))
        : mayUsePackage(row, specifier)
      if (allowed) return
      context.report({ node, message: `import law: ${row.layer} may not import '${specifier}'` })
    }
    const bySource = (node) => check(node, node.source)
    return {
      ImportDeclaration: bySource,
      ExportNamedDeclaration: bySource,
      ExportAllDeclaration: bySource,
      ImportExpression: bySource,
      TSImportType: (node) => check(node, node.source ?? node.argument),
    }
  },
}
