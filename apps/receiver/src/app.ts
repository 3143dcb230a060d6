import { readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { systemClock, type Clock } from "@gateway/kernel";
import { hostForUrl } from "@gateway/process";
import { createLocalAuthority } from "./authority/local-authority.ts";
import type { ReceiverConfig } from "./config.ts";
import { receiveDelivery, type ReceiveDeliveryDeps } from "./receive-delivery.ts";
import { createSecretFile, readSecretFile } from "./secret-file.ts";
import { startTlsServer } from "./tls-server.ts";

export { createLocalAuthority, type LocalAuthority } from "./authority/local-authority.ts";

export type ReceiverDeps = {
  /** One line per delivery: `verified <type> <id>` or `refused: <reason>. <advice>`. */
  print(line: string): void;
  clock?: Clock;
};

export type RunningReceiver = {
  /** The address to register as the webhook's `url`. */
  url: string;
  port: number;
  secretFile: string;
  /** The authority to trust, or null when the certificate is the operator's own. */
  authorityFile: string | null;
  stop(): Promise<void>;
};

/**
 * A webhook receiver for demonstration: verifies every delivery and prints it. Rejects when the port is taken or a file
 * is unreadable.
 */
export async function startReceiver(
  config: ReceiverConfig,
  { print, clock = systemClock }: ReceiverDeps,
): Promise<RunningReceiver> {
  const secretFile = join(config.dataDir, "receiver-secrets");
  await createSecretFile(secretFile);
  const { authorityFile, ...tls } = await readTls(config, clock);
  const deps: ReceiveDeliveryDeps = {
    readSecrets: async () => [
      ...(config.secret === null ? [] : [config.secret]),
      ...(await readSecretFile(secretFile)),
    ],
    nowSeconds: () => clock.now() / 1000,
    secretFile,
  };
  const server = await startTlsServer({
    ...tls,
    host: config.host,
    port: config.port,
    handler: (req, res) => void answer(req, res, { ...deps, print }),
    onTlsError: (error) => print(`refused: tls. ${error.code ?? error.message}`),
  });
  return {
    url: `https://${hostForUrl(config.host)}:${server.port}/`,
    port: server.port,
    secretFile,
    authorityFile,
    stop: server.stop,
  };
}

type Tls = { certificate: string; key: string; authorityFile: string | null };

async function readTls({ tlsFiles, dataDir }: ReceiverConfig, clock: Clock): Promise<Tls> {
  if (tlsFiles === null) {
    const { certificate, key, authorityFile } = await createLocalAuthority(dataDir, { clock });
    return { certificate, key, authorityFile };
  }
  return {
    certificate: await readFile(tlsFiles.certificate, "utf8"),
    key: await readFile(tlsFiles.key, "utf8"),
    authorityFile: null,
  };
}

async function answer(
  req: IncomingMessage,
  res: ServerResponse,
  { print, ...deps }: ReceiveDeliveryDeps & Pick<ReceiverDeps, "print">,
): Promise<void> {
  try {
    const { status, line, body } = await receiveDelivery(req, deps);
    print(line);
    // The body of a refused request may still arrive, so its connection is not used again.
    res.writeHead(status, { "Content-Type": "application/json", ...(status === 200 ? {} : { Connection: "close" }) });
    res.end(JSON.stringify(body));
  } catch (error) {
    print(`refused: failed. ${error instanceof Error ? error.message : String(error)}`);
    res.destroy();
  }
}
