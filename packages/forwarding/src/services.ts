import { services, type Service } from "@gateway/contract";

/** All services that may have an address of their own, in alphabetical order. */
export const forwardableServices: readonly ForwardableService[] = services.toSorted();

export type ForwardableService = Service;

/** These move the same money in one transaction, so either all of them run here or none. */
export const moneyServices = ["custody", "execution", "ledger", "orchestra", "portfolio"] as const;

/** `MARKET_DATA_UPSTREAM` of `market-data`. */
export function upstreamSettingName<Service extends ForwardableService>(
  service: Service,
): UpstreamSettingName<Service> {
  // The type computes the same name.
  return `${service.toUpperCase().replaceAll("-", "_")}_UPSTREAM` as UpstreamSettingName<Service>;
}

type UpstreamSettingName<Service extends string> = Service extends `${infer Before}-${infer After}`
  ? `${Uppercase<Before>}_${Uppercase<After>}_UPSTREAM`
  : `${Uppercase<Service>}_UPSTREAM`;
