import { set } from "./testing/change.ts";
import type { Case } from "./testing/lint.ts";

const pot = "components.schemas.Pot.properties";
const created = "components.schemas.PotCreate.properties";
const sentAndRead = "is closed for requests and open for responses, and reached from both: split it.";
const extensible = "is extensible, which is for data that callers read, and reached from a request: split it.";
const size = { type: "object", additionalProperties: false };
const tags = { type: "object", additionalProperties: { type: "string" } };
const color = { type: "string", enum: ["red"], "x-extensible": true };
const refer = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
const sizes = set("components.schemas.Size", size);
const colors = set("components.schemas.Color", color);

export const cases: readonly Case[] = [
  {
    name: "an object that is sent and answered",
    changes: [sizes, set(`${created}.size`, refer("Size")), set(`${pot}.size`, refer("Size"))],
    says: `The component Size ${sentAndRead}`,
  },
  {
    name: "an object that is sent and answered inside a list",
    changes: [
      set("components.schemas.Sizes", { type: "array", items: size }),
      set(`${created}.sizes`, refer("Sizes")),
      set(`${pot}.sizes`, refer("Sizes")),
    ],
    says: `The component Sizes ${sentAndRead}`,
  },
  {
    name: "an object that is sent, and part of an event",
    changes: [
      sizes,
      set(`${created}.size`, refer("Size")),
      set("components.schemas.PotFilledEvent.properties.data.properties.size", refer("Size")),
    ],
    says: `The component Size ${sentAndRead}`,
  },
  {
    name: "an extensible list that is sent",
    changes: [colors, set(`${created}.color`, refer("Color"))],
    says: `The component Color ${extensible}`,
  },
  {
    name: "an extensible list that is asked for in the query",
    changes: [colors, set("components.parameters.Cursor.schema", refer("Color"))],
    says: `The component Color ${extensible}`,
  },
  {
    name: "an object that is only sent, an extensible list that is only answered, a map that is both",
    changes: [
      ...[sizes, colors, set("components.schemas.Tags", tags)],
      ...[set(`${created}.size`, refer("Size")), set(`${pot}.color`, refer("Color"))],
      ...[set(`${created}.tags`, refer("Tags")), set(`${pot}.tags`, refer("Tags"))],
    ],
    says: null,
  },
];
