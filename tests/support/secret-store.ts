import { appendFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

export type SecretStore = { url: string; stop(): Promise<void> };

/**
 * Accepts `{"secret":"whsec_..."}` and appends it to the file from which the receiver reads its secrets. A person does
 * that by hand between the registration of a webhook and its first event. A journey can only send requests.
 */
export async function startSecretStore(secretFile: string): Promise<SecretStore> {
  const server = createServer((req, res) => {
    json(req)
      .then((body) => appendFile(secretFile, `${JSON.stringify(body)}\n`))
      .then(
        () => res.writeHead(200, { "Content-Type": "application/json" }).end('{"stored":true}'),
        () => res.writeHead(400).end(),
      );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A server that listens on TCP has an address of this kind.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
