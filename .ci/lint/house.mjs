/** The rules of this repository that no published plugin knows, as one oxlint plugin. */
import { documentedExports } from './documented-exports.mjs'
import { noEmptyCatch, onePlaceForErrors, throwKnownErrors } from './errors.mjs'
import { importLaw } from './import-law.mjs'
import { noEraBranching } from './no-era-branching.mjs'
import { noModuleState } from './no-module-state.mjs'
import { zodNamespace } from './zod-namespace.mjs'

export default {
  meta: { name: 'house' },
  rules: {
    'documented-exports': documentedExports,
    'import-law': importLaw,
    'no-empty-catch': noEmptyCatch,
    'no-era-branching': noEraBranching,
    'no-module-state': noModuleState,
    'one-place-for-errors': onePlaceForErrors,
    'throw-known-errors': throwKnownErrors,
    'zod-namespace': zodNamespace,
  },
}
