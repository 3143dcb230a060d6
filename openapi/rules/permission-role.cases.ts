import { remove, set, type Change } from "./testing/change.ts";
import type { Case } from "./testing/lint.ts";

export const cases: readonly Case[] = [
  refused("an unknown permission", remove("paths./pots.get.security"), set("paths./pots.get.x-permission", "root")),
  {
    name: "an operation that says its permission and no security",
    changes: [remove("paths./pots.get.security"), set("paths./pots.get.x-permission", "read")],
    says: null,
  },
  refused("an operation without security", remove("paths./pots.get.security")),
  refused("an operation open to everybody", security([])),
  refused("an open alternative", security([...all("read"), {}])),
  refused("one credential only", security([{ apiKey: ["read"] }])),
  refused("no application's token", security(all("read").slice(0, 2))),
  refused("no role", security(all())),
  refused("an unknown role", security(all("root"))),
  refused("two roles", security(all("read", "write"))),
  refused(
    "another role of an access token",
    security([{ apiKey: ["read"] }, { accessToken: ["write"] }, { oauth2: ["read"] }]),
  ),
  refused("another role of an application's token", security([...all("read").slice(0, 2), { oauth2: ["write"] }])),
  refused("all credentials at once", security([{ apiKey: ["read"], accessToken: ["read"], oauth2: ["read"] }])),
];

function refused(name: string, ...changes: Change[]) {
  return { name, changes, says: "The operation must say x-permission, with one of read, write, admin." };
}

function all(...roles: string[]): Record<string, string[]>[] {
  return [{ apiKey: roles }, { accessToken: roles }, { oauth2: roles }];
}

function security(requirements: Record<string, string[]>[]) {
  return set("paths./pots.get.security", requirements);
}
