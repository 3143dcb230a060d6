import { operations, services, type OperationPolicy, type Service } from "@gateway/contract";

const owners = Object.values<OperationPolicy>(operations).flatMap(({ path, service }) => {
  const direct = services.find((one) => one === service);
  return direct ? [{ pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`), service: direct }] : [];
});

/** Whose path a request target is; null when it is the gateway's own, or none of the document's. */
export function directServiceOf(target: string): Service | null {
  const [path = ""] = target.split("?");
  return owners.find(({ pattern }) => pattern.test(path))?.service ?? null;
}

/** Ports for the direct addresses of all services, which the system chooses. */
export const freeDirectPorts: Readonly<Record<Service, number>> = Object.fromEntries(
  services.map((service) => [service, 0]),
) as Record<Service, number>;
