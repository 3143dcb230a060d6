import { integerSetting, type Setting } from "@gateway/kernel";
import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { createServer } from "node:net";

/** Ports by the name of their setting. The setting of the host is HOST unless `hostSetting` names another one. */
export type Ports = Readonly<Record<string, { host: string; port: number; hostSetting?: string }>>;

/** Refuses 0, which would be a different port at each start. */
export function portSetting(options: { description: string; default: number }): Setting<number> {
  return integerSetting({ ...options, min: 1, max: 65535 });
}

/** For the check of readSettings: all of these ports differ. */
export function checkPortsDiffer<Name extends string>(
  read: Readonly<Partial<Record<Name, number>>>,
  names: readonly Name[],
): string[] {
  return names.flatMap((name, index) => {
    const taken = names.slice(0, index).find((other) => read[other] !== undefined && read[other] === read[name]);
    return taken === undefined ? [] : [`${name} must differ from ${taken}: each listens on a port of its own`];
  });
}

const taken = "EADDRINUSE";

/**
 * Reasons why the ports cannot be opened, a line each, for a program that could not start and has closed its ports.
 */
export async function describePortFaults(ports: Ports): Promise<string[]> {
  const lines = await Promise.all(
    Object.entries(ports).map(async ([setting, { host, port, hostSetting = "HOST" }]) => {
      const code = await findListenFault(host, port);
      return code === null ? null : describePortFault(code, { setting, host, port, hostSetting });
    }),
  );
  return [...new Set(lines.filter((line) => line !== null))];
}

type Listening = { setting: string; host: string; port: number; hostSetting: string };

function describePortFault(code: string, { setting, host, port, hostSetting }: Listening): string | null {
  switch (code) {
    case taken:
      return `Port ${port} of ${host} is taken by another program: set ${setting} to a free one.`;
    case "EACCES":
      return `Port ${port} of ${host} may not be used by this user: set ${setting} to one above 1023.`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `${host} is not an address of this machine: set ${hostSetting} to one that is, such as 127.0.0.1 or 0.0.0.0.`;
    default:
      return null;
  }
}

/** `localhost` has two addresses, and this machine may lack one of them. */
async function findListenFault(host: string, port: number): Promise<string | null> {
  try {
    const addresses = await lookup(host, { all: true });
    const faults = await Promise.all(addresses.map(({ address }) => tryToListen(address, port)));
    return faults.includes(taken) ? taken : faults.every((fault) => fault !== null) ? (faults[0] ?? null) : null;
  } catch (error) {
    return codeOf(error);
  }
}

async function tryToListen(host: string, port: number): Promise<string | null> {
  const server = createServer();
  try {
    await once(server.listen({ host, port }), "listening");
    await once(server.close(), "close");
    return null;
  } catch (error) {
    return codeOf(error);
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
