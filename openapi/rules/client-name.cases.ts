import { remove, set } from "./testing/change.ts";
import type { Case } from "./testing/lint.ts";

const name = "paths./pots.get.x-client";
const message = "x-client must be resource.method, such as wallets.list.";

export const cases: readonly Case[] = [
  { name: "an operation without x-client", changes: [remove(name)], says: message },
  { name: "a method without its resource", changes: [set(name, "list")], says: message },
  { name: "a resource in a resource", changes: [set(name, "pots.lids.list")], says: message },
  { name: "what is no name in a program", changes: [set(name, "big-pots.list")], says: message },
  { name: "a name in capitals", changes: [set(name, "Pots.list")], says: message },
  { name: "the name of a sandbox where there is none", changes: [set(name, "sandbox.list")], says: message },
  {
    name: "an operation of the sandbox without its name",
    changes: [set("paths./pots.x-sandbox", true), set("paths./pots.post.x-client", "sandbox.pots.create")],
    says: "x-client must be sandbox.resource.method, such as sandbox.clock.get.",
  },
  { name: "several names", changes: [set(name, ["pots.list"])], says: message },
  {
    name: "two operations of one name",
    changes: [set(name, "pots.create")],
    says: "Another operation has the x-client pots.create.",
  },
];
