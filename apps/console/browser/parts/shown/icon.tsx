import { iconPaths, type IconName } from "@gateway/design/icons";

/** An icon of lines, in the colour of the text around it. It is never the only name of an element. */
export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" width={size} height={size} aria-hidden="true">
      {iconPaths[name].map((path) => (
        <path key={path} d={path} />
      ))}
    </svg>
  );
}
