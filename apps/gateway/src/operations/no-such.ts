import { Problem } from "@gateway/contract";

/** The same words for a resource of another account, a deleted one and an unknown one, so that ids cannot be probed. */
export function noSuch(noun: string): Problem {
  return new Problem("NOT_FOUND", `There is no ${noun} with this id in this account.`);
}

/** Returns the resource, or refuses with 404 when there is none. */
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
    `There is no price feed for ${symbol}; GET /api/v1/price-feeds lists the existing ones.`,
  );
}

/** A fault of the gateway, because no credential outlives its account. */
export function noSuchAccount({ accountId }: { accountId: string }): Error {
  return new Error(`The account ${accountId} of a valid credential is gone.`);
}
