import { set } from "./testing/change.ts";
import { smallDocument } from "./testing/small-document.ts";
import type { Case } from "./testing/lint.ts";

const production = { url: "https://example.com", description: "Production" };
const sandbox = { url: "https://sandbox.example.com", description: "Sandbox", "x-sandbox": true };
const ledger = { url: "https://ledger.example.com", description: "Ledger", "x-service": "ledger" };
const custody = { url: "https://custody.example.com", description: "Custody", "x-service": "custody" };
const servers = [production, sandbox, ledger, custody];
const { paths } = smallDocument();
const path = "paths./sandbox/pots";
const item = () => ({
  "x-service": "gateway",
  "x-sandbox": true,
  get: { ...paths["/pots"].get, "x-client": "sandbox.pots.list", tags: ["Sandbox"] },
});
/** Each its own: a change in one must not show in another. */
const kept = () => [set("servers", structuredClone(servers)), set(path, item())];

const ofLedger = "https://example.com, https://sandbox.example.com, https://ledger.example.com";

export const cases: readonly Case[] = [
  { name: "paths of a service, of the gateway and of the sandbox, completed", changes: kept(), says: null },
  {
    name: "a path that leaves out its direct server",
    changes: [...kept(), set("paths./pots.servers", [production, sandbox])],
    says: `This path must have the servers that have it: ${ofLedger}.`,
  },
  {
    name: "a path at another service's server",
    changes: [...kept(), set("paths./pots.servers", servers)],
    says: `This path must have the servers that have it: ${ofLedger}.`,
  },
  {
    name: "a path of the sandbox without a server",
    changes: [...kept(), set(`${path}.servers`, [])],
    says: "This path must have the servers that have it: https://sandbox.example.com.",
  },
  {
    name: "a path of the sandbox at production too",
    changes: [...kept(), set(`${path}.servers`, [production, sandbox])],
    says: "This path must have the servers that have it: https://sandbox.example.com.",
  },
  {
    name: "a path of the gateway with a server of its own",
    changes: [...kept(), set("paths./pots.x-service", "accounts"), set("paths./pots.servers", [production])],
    says: "This path must have no servers of its own.",
  },
  {
    name: "a server of an unknown service",
    changes: [set("servers", [production, { ...custody, "x-service": "billing" }])],
    says: "x-service of the server https://custody.example.com must be one of oracle, custody, identity, orchestra, ledger, market-data, portfolio, execution, accounts, events, gateway.",
  },
];
