import { Problem } from "@gateway/contract";

/** The same words for another account's, a deleted one and one that never was, so that ids cannot be probed. */
export function noSuch(noun: string): Problem {
  return new Problem("NOT_FOUND", `There is no ${noun} with this id in this account.`);
}

/** What was looked for, or 404. */
export function found<Thing>(noun: string, thing: Thing | null | undefined | false): Thing {
  if (!thing) {
    throw noSuch(noun);
  }
  return thing;
}

export function noSuchInstrument(): Problem {
  return new Problem("NOT_FOUND", "There is no instrument with this symbol. GET /instruments lists them.");
}

export function noSuchPriceFeed(symbol: string): Problem {
  return new Problem(
    "NOT_FOUND",
    `There is no price feed of ${symbol}; GET /api/v1/price-feeds lists the existing ones.`,
  );
}

/** A mistake of ours: no credential outlives its account. */
export function noSuchAccount({ accountId }: { accountId: string }): Error {
  return new Error(`The account ${accountId} of a valid credential is gone.`);
}
