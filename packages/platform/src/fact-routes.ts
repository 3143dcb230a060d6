import type { PortName } from "./ports/index.ts";
import type { FactRoute } from "./fact-route.ts";

/** Which service takes what the outside tells through a port. */
export const factRoutes = {} as const satisfies Partial<Record<PortName, FactRoute>>;
