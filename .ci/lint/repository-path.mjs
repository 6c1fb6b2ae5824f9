import { dirname, posix, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/** The path of the linted file inside the repository, with forward slashes. */
export function repositoryPath(context) {
  return relative(root, context.filename).split(sep).join('/')
}

/** Where a relative specifier of `from` points, inside the repository. */
export function resolveSpecifier(from, specifier) {
  return posix.normalize(posix.join(posix.dirname(from), specifier))
}
