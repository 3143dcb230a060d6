import { remove, set } from "./testing/change.ts";
import { testRule } from "./testing/test-rule.ts";

testRule("permission-role", [
  refused("an operation without security", remove("paths./pots.get.security")),
  refused("an operation open to everybody", security([])),
  refused("an open alternative", security([{ apiKey: ["read"] }, { accessToken: ["read"] }, {}])),
  refused("one credential only", security([{ apiKey: ["read"] }])),
  refused("no role", security([{ apiKey: [] }, { accessToken: [] }])),
  refused("an unknown role", security([{ apiKey: ["root"] }, { accessToken: ["root"] }])),
  refused("two roles", security([{ apiKey: ["read", "write"] }, { accessToken: ["read", "write"] }])),
  refused("different roles", security([{ apiKey: ["read"] }, { accessToken: ["write"] }])),
  refused("both credentials at once", security([{ apiKey: ["read"], accessToken: ["read"] }])),
]);

function refused(name: string, change: ReturnType<typeof set>) {
  const says = "security must be apiKey: [role], then accessToken: [role], with one of read, write, admin.";
  return { name, changes: [change], says };
}

function security(requirements: Record<string, string[]>[]) {
  return set("paths./pots.get.security", requirements);
}
