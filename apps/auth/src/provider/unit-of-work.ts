import type { AuditOrigin } from "@gateway/platform/audit";
import type { Services } from "@gateway/platform/compose/may-call";
import type { Platform } from "@gateway/platform/compose/platform";
import { AsyncLocalStorage } from "node:async_hooks";
import type { PendingExchange } from "./pending-exchange.ts";

export type Unit = {
  services: Services;
  /** The records that an exchange has read already, and the writes that it collects. */
  exchange?: PendingExchange;
};

export type UnitOfWork = ReturnType<typeof createUnitOfWork>;

/** Gives the library's storage its transaction or exchange, because the library does not pass them through. */
export function createUnitOfWork(platform: Platform) {
  const running = new AsyncLocalStorage<Unit>();
  return {
    /** The unit that the caller runs in. Outside of any, it has neither transaction nor exchange. */
    current: (): Unit => running.getStore() ?? { services: platform },
    /**
     * Runs `work` in one transaction: committed when it resolves, rolled back when it rejects. Inside another, it joins
     * that.
     */
    run: <Result>(
      work: (services: Services) => Promise<Result>,
      options?: { origin?: AuditOrigin },
    ): Promise<Result> => {
      const unit = running.getStore();
      return unit
        ? work(unit.services)
        : platform.transaction((services) => running.run({ services }, () => work(services)), options);
    },
    /** All calls of the library to our storage during `work` belong to the exchange. */
    runExchange: <Result>(exchange: PendingExchange, work: () => Promise<Result>): Promise<Result> =>
      running.run({ services: platform, exchange }, work),
  };
}
