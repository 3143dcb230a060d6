import type { AuditOrigin } from "@gateway/platform/audit";
import type { Services } from "@gateway/platform/compose/may-call";
import type { Platform } from "@gateway/platform/compose/platform";
import { AsyncLocalStorage } from "node:async_hooks";
import type { PendingExchange } from "./pending-exchange.ts";

export type Unit = {
  services: Services;
  /** What an exchange has read already, and where it leaves what it would write. */
  exchange?: PendingExchange;
};

/** Gives the library's storage its transaction or exchange: the library hands nothing through to it. */
export interface UnitOfWork {
  /** The one that the caller runs in; outside of any, one without transaction or exchange. */
  current(): Unit;
  /** In one transaction: committed when it resolves, rolled back when it rejects. Inside another, it joins that. */
  run<Result>(work: (services: Services) => Promise<Result>, options?: { origin?: AuditOrigin }): Promise<Result>;
  /** Everything that the library asks of our storage meanwhile is the exchange's. */
  runExchange<Result>(exchange: PendingExchange, work: () => Promise<Result>): Promise<Result>;
}

export function createUnitOfWork(platform: Platform): UnitOfWork {
  const running = new AsyncLocalStorage<Unit>();
  return {
    current: () => running.getStore() ?? { services: platform },
    run: (work, options) => {
      const unit = running.getStore();
      return unit
        ? work(unit.services)
        : platform.transaction((services) => running.run({ services }, () => work(services)), options);
    },
    runExchange: (exchange, work) => running.run({ services: platform, exchange }, work),
  };
}
