type Entry = { ledgerAccountId: string; direction: string; amount: number };

/** Empty while the currency of an account is not known. */
export function balanceByCurrency(
  entries: readonly Entry[],
  currencyOf: (ledgerAccountId: string) => string | undefined,
): { currency: string; isBalanced: boolean }[] {
  const sums = new Map<string, bigint>();
  for (const { ledgerAccountId, direction, amount } of entries) {
    const currency = currencyOf(ledgerAccountId);
    if (currency === undefined) {
      return [];
    }
    sums.set(currency, (sums.get(currency) ?? 0n) + (direction === "debit" ? BigInt(amount) : -BigInt(amount)));
  }
  return [...sums].map(([currency, sum]) => ({ currency, isBalanced: sum === 0n }));
}
