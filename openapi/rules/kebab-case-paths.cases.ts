import { set } from "./testing/change.ts";
import type { Case } from "./testing/lint.ts";

const message = "A path must be made of kebab-case words and {parameters}.";

export const cases: readonly Case[] = [
  { name: "a path in camelCase", changes: [set("paths./bigPots", {})], says: message },
  { name: "a path in snake_case", changes: [set("paths./big_pots", {})], says: message },
  { name: "a path that ends with a slash", changes: [set("paths./big-pots/", {})], says: message },
  { name: "a path with a part in capitals", changes: [set("paths./pots/{potId}/Empty", {})], says: message },
  { name: "a path with a parameter and a hyphen", changes: [set("paths./big-pots/{potId}", {})], says: null },
  { name: "a path at a well-known address", changes: [set("paths./.well-known/big-pots", {})], says: null },
  { name: "a path that begins with another dot", changes: [set("paths./.hidden/pots", {})], says: message },
  { name: "a webhook whose name is no path", changes: [set("webhooks.potFilled", {})], says: null },
];
