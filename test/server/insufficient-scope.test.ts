import { expect, test } from 'vitest'
import { InsufficientScopeError, requireScopes } from '../../src/server/insufficient-scope.ts'

test('every needed scope is named when one is missing', () => {
  const auth = { subject: 'a', scopes: ['read'] }
  requireScopes(['read'], auth)
  requireScopes([], undefined)
  for (const caller of [auth, undefined]) {
    const check = () => requireScopes(['read', 'admin'], caller)
    expect(check).toThrow(InsufficientScopeError)
    expect(check).toThrow(/read admin/)
  }
})
