import { remove, set } from "./testing/change.ts";
import type { Case } from "./testing/lint.ts";

const cursor = { $ref: "#/components/parameters/Cursor" };
const limit = { name: "limit", in: "query", schema: { type: "integer" } };

export const cases: readonly Case[] = [
  {
    name: "a list whose meta is that of a single thing",
    changes: [set("components.schemas.PotList.properties.meta", { $ref: "#/components/schemas/Meta" })],
    says: "A list must require hasMore and nextCursor in meta.",
  },
  {
    name: "a list whose nextCursor is optional",
    changes: [set("components.schemas.ListMeta.required", ["requestId", "timestamp", "hasMore"])],
    says: "A list must require hasMore and nextCursor in meta.",
  },
  {
    name: "a list without limit",
    changes: [set("paths./pots.get.parameters", [cursor])],
    says: "A list must take the query parameter limit.",
  },
  {
    name: "a list whose cursor is a header",
    changes: [set("components.parameters.Cursor.in", "header")],
    says: "A list must take the query parameter cursor.",
  },
  {
    name: "a list whose parameters are those of its path",
    changes: [remove("paths./pots.get.parameters"), set("paths./pots.parameters", [limit, cursor])],
    says: null,
  },
];
