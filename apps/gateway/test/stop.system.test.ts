import { createTestDatabase, waitFor } from "@gateway/testkit";
import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type GatewayProcess, startGatewayProcess } from "./support/gateway-process.ts";
import { createKeepAliveClient, type Outcome } from "./support/keep-alive-client.ts";
import { useGateway } from "./support/use-gateway.ts";

const path = "/api/v1/wallets";
const body = JSON.stringify({ name: "W", currency: "EUR" });

describe("SIGTERM", () => {
  /** Only for accounts, keys, and reads of the database that both share. */
  let gateway: GatewayProcess;
  let headers: Record<string, string>;
  let accountId: string;

  const helper = useGateway();
  beforeEach(async () => {
    const account = await helper.createAccount();
    accountId = account.id;
    headers = { "X-API-Key": (await helper.createKey(account, "write")).secret, "Content-Type": "application/json" };
    gateway = await startGatewayProcess({ databaseUrl: helper.databaseUrl });
  });
  afterEach(() => gateway.program.destroy());

  test("under load: no connection is cut under a request, no answer is lost, and it ends with 0", async () => {
    const outcomes: Outcome[] = [];
    const isReading = (client: number): boolean => client % 2 === 0;
    const run = async (_: unknown, client: number): Promise<void> => {
      const connection = createKeepAliveClient(gateway.port);
      for (let last: Outcome | null = null; last === null || last.kind === "answered";) {
        last = await connection.send(
          isReading(client) ? { method: "GET", path, headers } : { method: "POST", path, headers, body },
        );
        outcomes.push(last);
      }
      connection.close();
    };
    const clients = Promise.all(Array.from({ length: 20 }, run));
    await waitFor(() => outcomes.length > 300);
    gateway.program.signal("SIGTERM");
    await clients;
    expect(await gateway.program.exited).toBe(0);

    expect(outcomes.filter(({ kind }) => kind === "lost")).toEqual([]);
    const answers = outcomes.filter((outcome) => outcome.kind === "answered");
    expect(answers.filter(({ status }) => status !== 200 && status !== 201)).toEqual([]);
    const rows = await helper.database.kysely
      .selectFrom("wallets")
      .select("id")
      .where("account_id", "=", accountId)
      .execute();
    expect(rows).toHaveLength(answers.filter(({ status }) => status === 201).length);
    expect(gateway.program.stderr()).toBe("");
  });

  test("a request under way is finished, and meanwhile the process says that it is not ready and takes nothing new", async () => {
    const outgoing = request({
      host: "127.0.0.1",
      port: gateway.port,
      method: "POST",
      path,
      headers: { ...headers, "Content-Length": body.length },
    });
    const answered = once(outgoing, "response");
    outgoing.write(body.slice(0, 5));
    await waitFor(() => outgoing.socket?.bytesWritten);
    // Another round trip, by whose end the earlier request has been read.
    expect(await gateway.readiness()).toBe(200);

    gateway.program.signal("SIGTERM");
    await waitFor(async () => (await gateway.readiness()) === 503);
    await waitFor(() => isRefused(gateway.port));
    outgoing.end(body.slice(5));
    const [answer] = await answered;
    expect(answer).toMatchObject({ statusCode: 201, headers: { connection: "close" } });
    answer.resume();
    expect(await gateway.program.exited).toBe(0);
    expect(await helper.platform.ledger.wallets.list({ accountId, limit: 10 })).toMatchObject({
      items: [{ name: "W" }],
    });
  });
});

/** Whether a new connection is refused. */
function isRefused(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => resolve(false));
    socket.once("error", () => resolve(true));
    socket.once("connect", () => socket.destroy());
  });
}

test("SIGTERM: clients that keep silent connections open do not hold it back", async () => {
  const gateway = await startGatewayProcess({ databaseUrl: (await createTestDatabase()).url });
  try {
    const silent = Array.from({ length: 5 }, () => connect(gateway.port, "127.0.0.1"));
    // A stop may reset them.
    silent.forEach((socket) => socket.on("error", () => {}));
    await Promise.all(silent.map((socket) => once(socket, "connect")));
    const connection = createKeepAliveClient(gateway.port);
    const headers = { "X-API-Key": "none" };
    expect(await connection.send({ method: "GET", path: "/", headers })).toMatchObject({
      kind: "answered",
      closes: false,
    });
    gateway.program.signal("SIGTERM");
    expect(await gateway.program.exited).toBe(0);
    connection.close();
    silent.forEach((socket) => socket.destroy());
  } finally {
    await gateway.program.destroy();
  }
});
