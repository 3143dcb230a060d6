import type { DataOf } from "../../data/calls.ts";
import { ActionButton } from "../../parts/dialog/actions.tsx";
import { AsCode } from "../../parts/shown/as-code.tsx";
import { ScreenHeader, Tabs } from "../../parts/shown/screen-header.tsx";
import { Loaded } from "../../parts/shown/states.tsx";
import { Time } from "../../parts/shown/values.tsx";
import { useCall } from "../../parts/call/use-call.ts";
import { useDo, useUrlState } from "../../parts/page/address.tsx";
import { AddressBook } from "./address-book.tsx";
import { describeRule, type Rule, views } from "./describe-rule.ts";
import { RemoveRule, RuleDialog } from "./rule-dialogs.tsx";

type Policy = DataOf<"getTransferPolicy">;

export function RulesScreen() {
  const policy = useCall({ operationId: "getTransferPolicy" });
  return (
    <div className="plain-screen">
      <ScreenHeader title="Transfers" about="Which go out, which need people to approve them, and which are refused." />
      <Tabs tabs={views} current="rules" />
      <Loaded of={policy} rows={3}>
        {({ data }) => <Rules policy={data} />}
      </Loaded>
      <AsCode call={{ operationId: "getTransferPolicy" }} />
      <AddressBook />
    </div>
  );
}

function Rules({ policy: { rules, effectiveAt, next } }: { policy: Policy }) {
  const [what, setWhat] = useDo();
  const [{ rule: place }] = useUrlState();
  // A change replaces what would have applied next, so it begins with that.
  const latest = next?.rules ?? rules;
  const close = (): void => setWhat(undefined);
  const chosen = latest[Number(place) - 1];
  return (
    <>
      <section className="block">
        <h2>Rules</h2>
        <p className="faint">
          The first that applies to a transfer decides; where none does, the transfer is refused.
          {effectiveAt === null && next === null && " Every account begins with these."}
        </p>
        {next === null ? <RuleList rules={rules} isOpen /> : <RuleList rules={rules} />}
      </section>
      {next !== null && (
        <section className="block">
          <h2>
            From <Time at={next.effectiveAt} /> on
          </h2>
          <RuleList rules={next.rules} isOpen />
        </section>
      )}
      <div className="actions">
        <ActionButton operationId="replaceTransferPolicy" onClick={() => setWhat("add-rule")}>
          Add a rule
        </ActionButton>
      </div>
      {what === "add-rule" && <RuleDialog rules={latest} onClose={close} />}
      {what === "rule" && chosen && <RuleDialog rules={latest} changed={chosen} onClose={close} />}
      {what === "remove-rule" && chosen && <RemoveRule rules={latest} removed={chosen} onClose={close} />}
    </>
  );
}

/** `isOpen`: what is shown is what a change begins with. */
function RuleList({ rules, isOpen = false }: { rules: readonly Rule[]; isOpen?: boolean }) {
  const [, setState] = useUrlState();
  const ask = (what: string, place: number) => (): void => setState({ do: what, rule: String(place) });
  return (
    <ol className="lines" aria-label={isOpen ? "Rules that can be changed" : "Rules that apply now"}>
      {rules.map((rule, index) => (
        <li key={index}>
          <span>
            {index + 1}. {describeRule(rule)}
          </span>
          {isOpen && (
            <span className="actions">
              <ActionButton operationId="replaceTransferPolicy" small onClick={ask("rule", index + 1)}>
                Change
              </ActionButton>
              <ActionButton
                operationId="replaceTransferPolicy"
                small
                onClick={ask("remove-rule", index + 1)}
                unavailable={rules.length === 1 ? "A policy has one rule at least." : null}
              >
                Remove
              </ActionButton>
            </span>
          )}
        </li>
      ))}
    </ol>
  );
}
