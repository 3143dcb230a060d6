import type { WeightedStep } from "../step.ts";
import { bookingSteps } from "./booking-steps.ts";
import { clockSteps } from "./clock-steps.ts";
import { fillSteps } from "./fill-steps.ts";
import { orderSteps } from "./order-steps.ts";
import { paymentSteps } from "./payment-steps.ts";
import { transferSteps } from "./transfer-steps.ts";
import { venueSteps } from "./venue-steps.ts";
import { walletSteps } from "./wallet-steps.ts";

export const allSteps: readonly WeightedStep[] = [
  ...walletSteps,
  ...bookingSteps,
  ...paymentSteps,
  ...transferSteps,
  ...orderSteps,
  ...venueSteps,
  ...fillSteps,
  ...clockSteps,
];
