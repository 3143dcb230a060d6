import type { TestReceiver } from "../../apps/dispatcher/test/support/receiver.ts";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Program } from "./program.ts";
import type { Call } from "./traffic.ts";
import type { FinishedDelivery, OldWebhooks } from "./what-became.ts";

const run = promisify(execFile);

export type OldAccount = { id: string; key: string };

/** Creates an account with the command line of the release in `folder`. */
export async function createOldAccount({
  folder,
  env,
}: {
  folder: string;
  env: Readonly<Record<string, string>>;
}): Promise<OldAccount> {
  const admin = async <Row>(...args: string[]): Promise<Row> => {
    const { stdout } = await run(process.execPath, ["apps/admin/src/main.ts", ...args, "--json"], { cwd: folder, env });
    return JSON.parse(stdout) as Row;
  };
  const tier = ["--tier", "enterprise", "--limit", "10000000"];
  const { id } = await admin<{ id: string }>("accounts", "create", "--email", "old@example.com", ...tier);
  const { secret } = await admin<{ secret: string }>("keys", "create", "--account", id, "--permission", "admin");
  return { id, key: secret };
}

export async function createOldWebhooks({
  gateway,
  account,
  receiver,
}: {
  gateway: Program;
  account: OldAccount;
  receiver: TestReceiver;
}): Promise<OldWebhooks> {
  const create = async (name: keyof OldWebhooks, type: string): Promise<string> => {
    const answer = await fetch(`${gateway.url}/api/v1/webhooks`, {
      method: "POST",
      headers: { "X-API-Key": account.key, "Content-Type": "application/json" },
      body: JSON.stringify({ url: `https://localhost:${receiver.port}/${name}`, events: [type] }),
    });
    const { data } = (await answer.json()) as { data: { id: string } };
    return data.id;
  };
  return {
    first: await create("first", "wallet.created"),
    second: await create("second", "wallet.created"),
    changed: await create("changed", "payment.settled"),
    hanging: await create("hanging", "payment.settled"),
  };
}

export type CallsOptions = Pick<OldWebhooks, "first" | "changed"> & {
  /** Deliveries that are already finished. */
  deliveries: readonly FinishedDelivery[];
};

/**
 * One in this many calls is a replay. The previous release reads all events of the account for it, and locks its tables
 * meanwhile.
 */
const callsPerReplay = 1_000;

/** The calls of callers in turn, every second one a write, on old and on new resources. */
export function createCalls({ first, changed, deliveries }: CallsOptions): (number: number) => Call {
  return (number) => {
    if (number % 2 === 0) {
      return { method: "POST", path: "wallets", body: { name: `Wallet ${number}`, currency: "EUR" } };
    }
    if (number % callsPerReplay === 101) {
      const since = new Date(Date.now() - 1_000).toISOString();
      return { method: "POST", path: `webhooks/${first}/replay`, body: { since } };
    }
    const { id = "", eventId = "" } = deliveries[number % deliveries.length] ?? {};
    const others: Call[] = [
      { path: "deliveries?limit=20" },
      { path: `deliveries?webhookId=${first}&limit=20` },
      { path: "deliveries?status=failed&limit=20" },
      { path: `deliveries?eventId=${eventId}` },
      { path: `deliveries/${id}` },
      { method: "POST", path: `deliveries/${id}/resend` },
      { path: "events?limit=20" },
      { path: "events?type=wallet.created&limit=20" },
      { path: `events/${eventId}` },
      { path: "wallets?limit=20" },
      { path: "webhooks" },
      { path: `webhooks/${first}` },
      { method: "POST", path: `webhooks/${first}/test`, body: { type: "payment.settled" } },
      { method: "PATCH", path: `webhooks/${changed}`, body: { description: `Changed ${number}` } },
      { method: "POST", path: `webhooks/${changed}/disable` },
      { method: "POST", path: `webhooks/${changed}/enable` },
      { method: "POST", path: `webhooks/${changed}/roll-secret`, body: {} },
      { path: "account" },
      { path: "api-keys" },
    ];
    return others[((number - 1) / 2) % others.length] ?? { path: "account" };
  };
}
