import { services, type Service } from "@gateway/contract";

/** Ports for the direct addresses of all services, which the system chooses. */
export const freeDirectPorts: Readonly<Record<Service, number>> = Object.fromEntries(
  services.map((service) => [service, 0]),
) as Record<Service, number>;
