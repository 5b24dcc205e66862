const number = "(0|[1-9]\\d*)";
const preRelease = "(0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)";
const build = "[0-9a-zA-Z-]+";

/** A version as semver.org has it. */
export const semanticVersion: RegExp = new RegExp(
  `^${number}\\.${number}\\.${number}(-${preRelease}(\\.${preRelease})*)?(\\+${build}(\\.${build})*)?$`,
);
