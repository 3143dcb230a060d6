import type { Gap } from "../../data/usage-buckets.ts";
import { Icon } from "./icon.tsx";
import { Time } from "./values.tsx";

export function Gaps({ gaps }: { gaps: readonly Gap[] }) {
  if (gaps.length === 0) {
    return null;
  }
  return (
    <div className="note gaps" role="status">
      <Icon name="warning" size={14} />
      <ul>
        {gaps.slice(0, 5).map(({ from, to, count }) => (
          <li key={`${from}${to}`}>
            Between <Time at={from} seconds /> and <Time at={to} seconds />{" "}
            {count === null
              ? "requests may be missing: a server ended before it had written them."
              : `${count} ${count === 1 ? "request is" : "requests are"} missing: more came than could be kept.`}
          </li>
        ))}
        {gaps.length > 5 && <li>There are {gaps.length - 5} more such times.</li>}
      </ul>
    </div>
  );
}
