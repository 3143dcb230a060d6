import { stateMachines as machines } from "virtual:state-machines";
import type { DrawnMachine, MachineName } from "./drawn-machine.ts";

/** Every state machine of the document. What the build writes has this shape (src/build/contract-modules.ts). */
export const stateMachines = machines as Readonly<Record<MachineName, DrawnMachine>>;
