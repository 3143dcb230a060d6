import { findFreePorts } from "./find-free-port.ts";

const portSettings = [
  "GATEWAY_PORT",
  "METRICS_PORT",
  "AUTH_PORT",
  "AUTH_METRICS_PORT",
  "DISPATCHER_METRICS_PORT",
  "WORKER_METRICS_PORT",
  "DOCS_PORT",
  "RECEIVER_PORT",
  "CONSOLE_PORT",
  "CONSOLE_METRICS_PORT",
] as const;

export type LocalPorts = Record<(typeof portSettings)[number] | "SERVICE_PORTS", string>;

/** Settings that let `npm start` run next to any other: a free port for each place where it listens. */
export async function chooseLocalPorts(services: readonly string[]): Promise<LocalPorts> {
  const ports = await findFreePorts(portSettings.length + services.length);
  const chosen = portSettings.map((name, index) => [name, String(ports[index])]);
  const ofServices = services.map((service, index) => `${service}=${ports[portSettings.length + index]}`);
  // `chosen` has every name of portSettings as a key.
  return { ...Object.fromEntries(chosen), SERVICE_PORTS: ofServices.join(",") } as LocalPorts;
}
