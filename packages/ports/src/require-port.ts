import { Problem } from "@gateway/contract";
import type { OutsidePorts } from "./index.ts";

/** Ports that a deployment may lack. The other ones are optional services, which are called only when they exist. */
type RequiredPort = Exclude<keyof OutsidePorts, "verifications" | "market" | "prices">;

const names: Readonly<Record<RequiredPort, string>> = {
  chain: "a network of custody",
  rail: "a payment rail",
  kycEngine: "an identity check",
  priceSources: "a source of prices",
  venue: "a trading venue",
};

/** Returns the port. In a deployment without it, throws, because the work could not be completed. */
export function requirePort<Name extends RequiredPort>(
  ports: Pick<OutsidePorts, Name>,
  name: Name,
): NonNullable<OutsidePorts[Name]> {
  const port = ports[name];
  if (port === null) {
    const message = `This deployment is not connected to ${names[name]}. Try again later, or ask its operator.`;
    throw new Problem("UNAVAILABLE", message, { headers: { "Retry-After": "60" } });
  }
  // TypeScript does not narrow what a type parameter picks.
  return port as NonNullable<OutsidePorts[Name]>;
}
