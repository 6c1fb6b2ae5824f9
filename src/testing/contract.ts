/**
 * What a contract is made of: named cases that throw when an implementation breaks one. Any test
 * runner can run them.
 *
 * @module
 */

/** One thing an implementation must do. */
export interface ContractCase {
  readonly name: string
  /** Rejects when the implementation does not do it. */
  readonly run: () => Promise<void>
}

/**
 * Fails a case unless something holds.
 *
 * @param holds what must be true
 * @param expectation what was expected, in words
 * @throws {Error} if it does not hold
 */
export function expectThat(holds: boolean, expectation: string): asserts holds {
  if (!holds) throw new Error(`The contract is broken: ${expectation}`)
}

/**
 * Fails a case unless two JSON values are the same.
 *
 * @param actual what there is
 * @param expected what there should be
 * @param subject what is compared, in words
 * @throws {Error} if they differ
 */
export function expectSame(actual: unknown, expected: unknown, subject: string): void {
  const [left, right] = [JSON.stringify(actual), JSON.stringify(expected)]
  expectThat(left === right, `${subject} should be ${right}, but is ${left}`)
}

/**
 * Fails a case unless something is refused.
 *
 * @param attempt what must be refused, at once or later
 * @param subject what is attempted, in words
 * @returns the refusal
 * @throws {Error} if it is not refused
 */
export async function expectRefusal(attempt: () => unknown, subject: string): Promise<unknown> {
  try {
    await attempt()
  } catch (refusal) {
    return refusal
  }
  throw new Error(`The contract is broken: ${subject} should be refused`)
}

/**
 * Waits until something holds, for implementations whose news takes a while.
 *
 * @param holds what must become true
 * @param expectation what was expected, in words
 * @throws {Error} if it does not hold within five seconds
 */
export async function eventually(holds: () => boolean, expectation: string): Promise<void> {
  for (let waited = 0; !holds() && waited < 5_000; waited += 5)
    await new Promise((resolve) => setTimeout(resolve, 5))
  expectThat(holds(), expectation)
}
