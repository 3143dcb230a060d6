import { services, type Service } from "@gateway/contract";
import type { Setting } from "@gateway/kernel";

export type ServicePorts = Readonly<Record<Service, number>>;

const firstPort = 8091;

/** One setting for all ports: orchestrators set variables such as `LEDGER_PORT` to something else. */
export const servicePortsSetting: Setting<ServicePorts> = {
  description: "Other ports for the direct addresses of services, such as `custody=9091,oracle=9098`",
  default: services.map((service, index) => `${service} ${firstPort + index}`).join(", "),
  read: (text = "") => {
    const wanted = text.split(",").flatMap((entry) => (entry.trim() === "" ? [] : [readEntry(entry.trim())]));
    const twice = wanted.find(([name], index) => wanted.findIndex(([other]) => other === name) !== index);
    if (twice) {
      throw new Error(`must name each service once; ${twice[0]} is there twice`);
    }
    const usual = services.map((service, index) => [service, firstPort + index]);
    // Every service is among the usual ones.
    return Object.fromEntries([...usual, ...wanted]) as ServicePorts;
  },
};

export function namePortOf(service: string): string {
  return `${service} in SERVICE_PORTS`;
}

function readEntry(entry: string): [name: string, port: number] {
  const [, name = "", digits = ""] = /^([a-z-]+)=(\d{1,5})$/.exec(entry) ?? [];
  const port = Number(digits);
  if (!services.some((service) => service === name) || port < 1 || port > 65_535) {
    throw new Error(
      `must be a comma-separated list of services and ports such as custody=9091; ${JSON.stringify(entry)} is not one (services: ${services.join(", ")})`,
    );
  }
  return [name, port];
}
