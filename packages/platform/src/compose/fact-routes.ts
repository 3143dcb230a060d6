import { chainRoute } from "../custody/index.ts";
import { venueRoute } from "../execution/index.ts";
import type { FactRoute } from "@gateway/engine/work";
import type { Services } from "./may-call.ts";
import { kycRoute } from "../identity/index.ts";
import { railRoute } from "../orchestra/index.ts";
import type { PortName } from "@gateway/ports";

/** The service that receives the facts of each port. */
export const factRoutes: Readonly<Record<PortName, FactRoute<Services>>> = {
  chain: chainRoute,
  kycEngine: kycRoute,
  rail: railRoute,
  venue: venueRoute,
};
