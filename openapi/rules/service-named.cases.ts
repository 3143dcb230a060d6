import { remove, set } from "./testing/change.ts";
import type { Case } from "./testing/lint.ts";

const message =
  "x-service must be one of oracle, custody, identity, orchestra, ledger, market-data, portfolio, execution, accounts, events, gateway.";
const event = "components.pathItems.PotFilled";

export const cases: readonly Case[] = [
  { name: "a path without x-service", changes: [remove("paths./pots.x-service")], says: message },
  { name: "a path of an unknown service", changes: [set("paths./pots.x-service", "billing")], says: message },
  { name: "a path of two services", changes: [set("paths./pots.x-service", ["ledger", "custody"])], says: message },
  { name: "an event without x-service", changes: [remove(`${event}.x-service`)], says: message },
  { name: "an event of an unknown service", changes: [set(`${event}.x-service`, "billing")], says: message },
];
