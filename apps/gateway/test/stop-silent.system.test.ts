import { createTestDatabase } from "@gateway/testkit";
import { once } from "node:events";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { startGatewayProcess } from "./support/gateway-process.ts";
import { createKeepAliveClient } from "./support/keep-alive-client.ts";

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
