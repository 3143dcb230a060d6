import type { Schemas } from "@gateway/contract";
import { createTestClock } from "@gateway/testkit";
import { compactVerify, createLocalJWKSet } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { atOnce, dataOf } from "./support/answers.ts";
import type { Answer } from "./support/http-client.ts";
import { createPriceWorld, fiveSaying } from "./support/price-world.ts";
import { useGateway } from "./support/use-gateway.ts";

type PriceRound = Schemas["PriceRound"];

const startMs = Date.UTC(2026, 2, 9, 12);
const clock = createTestClock(startMs);
const roundId = startMs / 10_000;
const many = 64;

let key: string;
const world = createPriceWorld();
const lying = createPriceWorld();
const get = async (path: string, of = gateway): Promise<Answer> => of.call({ target: `/api/v1/${path}`, key });
const read = async <Data = PriceRound>(path: string, of = gateway): Promise<Data> => dataOf<Data>(await get(path, of));
const readKeys = () => read<Schemas["PriceSigningKey"][]>("price-signing-keys");
/** The bytes of a round without `stale`, which changes with its age. */
const bytesOf = ({ stale: _stale, ...round }: PriceRound): string => JSON.stringify(round);
const countRounds = async (symbol: string): Promise<number> =>
  (await gateway.database.kysely.selectFrom("price_rounds").select("round_id").where("symbol", "=", symbol).execute())
    .length;

/** Verifies like a client that has only the published keys: the signed round is the one in the response. */
async function verify({ signature, stale: _stale, ...round }: PriceRound, keys: Schemas["PriceSigningKey"][]) {
  const { payload, protectedHeader } = await compactVerify(signature, createLocalJWKSet({ keys }));
  expect(JSON.parse(new TextDecoder().decode(payload))).toEqual(round);
  return protectedHeader.kid;
}

const gateway = useGateway({ clock, keepsStill: true, createPorts: world.createPorts });
const other = useGateway(() => ({
  ...{ clock, keepsStill: true, databaseUrl: gateway.databaseUrl },
  createPorts: lying.createPorts,
}));
beforeAll(async () => {
  // Another process, whose sources report other prices for the same time.
  lying.said = (atMs) => fiveSaying("105", atMs);
  key = (await gateway.createKey(await gateway.createAccount(), "write")).secret;
});

test("64 at once, at two processes, before there is a key: one key is made, and one round of the same bytes for all", async () => {
  const answers = await atOnce(many, (index) =>
    read<PriceRound[]>("prices?symbols=ETH-USD", index % 2 ? gateway : other),
  );
  expect(new Set(answers.map(([round]) => round?.signature)).size).toBe(1);
  expect(await countRounds("ETH-USD")).toBe(1);
  expect(await readKeys()).toHaveLength(1);
});

describe("a signature", () => {
  test("verifies with jose alone, by the keys as they are listed, and holds the whole round", async () => {
    const keys = await readKeys();
    const round = await read(`price-feeds/BTC-USD/rounds/${roundId}`);
    expect(await verify(round, keys)).toBe(keys[0]?.kid);
    expect(Object.keys(keys[0] ?? {})).not.toContain("d");
  });

  test("of another round, or of an altered one, does not", async () => {
    const keys = await readKeys();
    const round = await read(`price-feeds/BTC-USD/rounds/${roundId}`);
    const [header = "", payload = "", signature = ""] = round.signature.split(".");
    const dearer = Buffer.from(payload, "base64url").toString().replace("100.00000000", "900.00000000");
    const altered = [header, Buffer.from(dearer).toString("base64url"), signature].join(".");
    await expect(compactVerify(altered, createLocalJWKSet({ keys }))).rejects.toThrow(/signature verification failed/);
    await expect(verify({ ...round, price: "900.00000000" }, keys)).rejects.toThrow(/expected/);
  });
});

test("the same round is the same bytes for ever: again, at another process, after a new key, after 13 months of the clock", async () => {
  const path = `price-feeds/GBP-USD/rounds/${roundId}`;
  const first = await read(path);
  expect(first.stale).toBe(false);
  world.said = (atMs) => fiveSaying("777", atMs);
  const again = [await read(path), await read(path, other)];
  clock.advance(1);
  const { id: successor } = await gateway.platform.transaction(({ oracle }) => oracle.signingKeys.roll());
  const [signing, retired] = await readKeys();
  expect(signing).toMatchObject({ kid: successor, retiredAt: null });
  expect(retired).toMatchObject({ retiredAt: new Date(clock.now()).toISOString() });
  await gateway.call({ method: "POST", target: "/api/v1/sandbox/clock/advance", key, body: { seconds: 34_000_000 } });
  const later = [await read(path), await read(path, other)];
  expect([...again, ...later].map(bytesOf)).toEqual(Array.from({ length: 4 }, () => bytesOf(first)));
  expect(later.map(({ stale }) => stale)).toEqual([true, true]);
  expect(await verify(later[0] ?? first, await readKeys())).toBe(retired?.kid);
  const [fresh] = await read<PriceRound[]>("prices?symbols=GBP-USD");
  expect(fresh && (await verify(fresh, await readKeys()))).toBe(successor);
});

test("rolled by many at once, one key signs, and each is listed", async () => {
  const before = (await readKeys()).length;
  await atOnce(8, () => gateway.platform.transaction(({ oracle }) => oracle.signingKeys.roll()));
  const keys = await readKeys();
  expect(keys).toHaveLength(before + 8);
  expect(keys.filter(({ retiredAt }) => retiredAt === null)).toHaveLength(1);
});

test("nobody changes a round that is pinned, nor drops one", async () => {
  await read(`price-feeds/BTC-USD/rounds/${roundId}`);
  const { kysely } = gateway.database;
  const refusal = /A price round that is pinned never changes/;
  await expect(kysely.deleteFrom("price_rounds").execute()).rejects.toThrow(refusal);
  await expect(
    kysely
      .updateTable("price_rounds")
      .set({ pinned_at: new Date() } as never)
      .execute(),
  ).rejects.toThrow(refusal);
});
