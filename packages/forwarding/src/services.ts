import { services, type Service } from "@gateway/contract";

/** The services that a deployment may leave to somebody else: all that may have an address of their own, in the order of the alphabet. */
export const forwardableServices: readonly ForwardableService[] = services.toSorted();

export type ForwardableService = Service;

/** These move the same money in one transaction, so they are all here, or all somewhere else. */
export const moneyServices = ["custody", "execution", "ledger", "orchestra", "portfolio"] as const;

/**
 * Whoever of ours would ask a service in its transaction, and cannot yet by a request before it. When the service is somebody else's, these have to
 * be, too. Orchestra asks identity by a request.
 */
export const readersOf: Partial<Record<ForwardableService, readonly ForwardableService[]>> = {
  "market-data": ["execution", "oracle"],
  oracle: ["portfolio"],
};

/** `MARKET_DATA_UPSTREAM` of `market-data`. */
export function upstreamSettingName<Service extends ForwardableService>(
  service: Service,
): UpstreamSettingName<Service> {
  // As the type computes it.
  return `${service.toUpperCase().replaceAll("-", "_")}_UPSTREAM` as UpstreamSettingName<Service>;
}

type UpstreamSettingName<Service extends string> = Service extends `${infer Before}-${infer After}`
  ? `${Uppercase<Before>}_${Uppercase<After>}_UPSTREAM`
  : `${Uppercase<Service>}_UPSTREAM`;
