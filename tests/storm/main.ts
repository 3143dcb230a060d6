import { deliveryStorm } from "./delivery-storm.ts";
import { ledgerStorm } from "./ledger/ledger-storm.ts";
import { runStormCommand } from "./storm-command.ts";

const [name, ...args] = process.argv.slice(2);
await (name === "ledger" ? runStormCommand(ledgerStorm, args) : runStormCommand(deliveryStorm, process.argv.slice(2)));
