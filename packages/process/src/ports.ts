import { integerSetting, type Setting } from "@gateway/kernel";
import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { createServer } from "node:net";

/** Where a program listens, under the name of the setting that changes it. */
export type Ports = Readonly<Record<string, { host: string; port: number }>>;

/** 0 is refused: it would be another one at each start. */
export function portSetting(options: { description: string; default: number }): Setting<number> {
  return integerSetting({ ...options, min: 1, max: 65535 });
}

/** For the check of readSettings: no two of these are the same. */
export function checkPortsDiffer<Name extends string>(
  read: Readonly<Partial<Record<Name, number>>>,
  names: readonly Name[],
): string[] {
  return names.flatMap((name, index) => {
    const taken = names.slice(0, index).find((other) => read[other] !== undefined && read[other] === read[name]);
    return taken === undefined ? [] : [`${name} must differ from ${taken}: each listens on a port of its own`];
  });
}

/** Those that somebody listens on, a line each with what to do; for a program that could not start and holds none any more. */
export async function describeTakenPorts(ports: Ports): Promise<string[]> {
  const lines = await Promise.all(
    Object.entries(ports).map(async ([setting, { host, port }]) =>
      (await isTaken(host, port))
        ? `Port ${port} of ${host} is taken by another program: set ${setting} to a free one.`
        : null,
    ),
  );
  return lines.filter((line) => line !== null);
}

/** `localhost` is two addresses. */
async function isTaken(host: string, port: number): Promise<boolean> {
  const addresses = await lookup(host, { all: true }).catch(() => []);
  const areTaken = await Promise.all(addresses.map(({ address }) => isAddressTaken(address, port)));
  return areTaken.includes(true);
}

async function isAddressTaken(host: string, port: number): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen({ host, port }), "listening");
    await once(server.close(), "close");
    return false;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EADDRINUSE";
  }
}
