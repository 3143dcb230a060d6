import type { Platform } from "../../src/compose/platform.ts";
import { cursorAt, limit, read, type Case } from "./cases.ts";
import { own } from "./money-rows.ts";
import { firstRows, id, idAt, isRare, owners } from "./row-values.ts";

const { huge, small } = owners;

type Page = { accountId: string; limit: number; cursor?: string };

/** A table that is listed by the resource that contains its rows, such as the fills of an order. */
type Part = {
  table: string;
  prefix: string;
  of: { noun: string; prefix: string };
  /** Its columns in addition to the ids and the time, with their values in row n. */
  columns: Readonly<Record<string, string>>;
  list(platform: Platform, id: string, page: Page): Promise<unknown>;
};

/** One for each such list. `npm run new:operation` adds those that it writes. */
const parts: readonly Part[] = [
  {
    table: "fills",
    prefix: "fil",
    of: { noun: "order", prefix: "ord" },
    columns: {
      venue_fill_id: "n::text",
      quantity: "1",
      price: "'50000.00'",
      notional: "1",
      fee: "1",
      liquidity: "'taker'",
      executed_at: "now()",
      ledger_transaction_id: id("ltx"),
    },
    list: ({ execution }, orderId, page) => execution.fills.list({ orderId, ...page }),
  },
];

/** The three oldest of the huge account belong to one resource, the rest to another. */
export const partRows: Record<string, Record<string, string>> = Object.fromEntries(
  parts.map(({ table, prefix, of, columns }) => [
    table,
    own(prefix, {
      [`${of.noun.replaceAll(" ", "_")}_id`]: `case when n <= ${firstRows} then ${id(of.prefix)}
        when ${isRare} then ${id(of.prefix, "last - 1")} else ${id(of.prefix, "last")} end`,
      ...columns,
    }),
  ]),
);

/** The pages of each list, by the resource that contains its rows. */
export function partCases(rows: number): Case[] {
  return parts.flatMap(({ table, prefix, of: { noun, prefix: ofPrefix }, list }): Case[] => {
    const { accountId } = huge;
    const of = (name: string, answers: number, place: { parent: number; accountId: string; position?: number }) => {
      const parentId = idAt(ofPrefix, place.parent);
      const cursor = cursorAt(`${table.replaceAll("_", "-")} ${place.accountId} ${parentId}`, prefix, place.position);
      const ask: Case["ask"] = (platform) => list(platform, parentId, { accountId: place.accountId, limit, ...cursor });
      return read(`${table.replaceAll("_", " ")} of one ${noun} ${name}`, answers, ask);
    };
    return [
      of("with many", limit, { parent: rows, accountId }),
      of("with many: half way", limit, { parent: rows, accountId, position: rows / 2 }),
      of("with few", 3, { parent: rows - 1, accountId }),
      of("without any", 0, { parent: firstRows + 10, accountId }),
      of("of an account with few", 1, { parent: 3, accountId: small.accountId }),
      of("of another account", 0, { parent: rows, accountId: small.accountId }),
    ];
  });
}
