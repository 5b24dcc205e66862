import { literally, type Statement, tryCreate } from "./statement.ts";

const source = "apimachinery, pkg/api/resource/quantity_test.go";

/** A quantity as it is sent and as it is stored. */
const canonical: readonly (readonly [sent: string, stored: string])[] = [
  ...["0", "0n", "0u", "0m", "0Ki", "0k", "0Mi", "0M", "0Gi", "0G", "0Ti", "0T", "00", "-0", "0.0"].map(
    (zero) => [zero, "0"] as const,
  ),
  ...["1", "1Ki", "8Ki", "7Mi", "6Gi", "5Ti", "4Pi", "10Ti", "100Ti"].map((text) => [text, text] as const),
  ...["5n", "4u", "3m", "9", "8k", "50k", "7M", "6G", "5T", "40T", "300T", "2P", "1E", "12E"].map(
    (text) => [text, text] as const,
  ),
  // Upstream keeps these texts, although some are not canonical.
  ...["1E-3", "1e3", "1E6", "1e9", "1E12", "1e15", "1E18", "100.035k", "10.035M", "7.123456M"].map(
    (text) => [text, text] as const,
  ),
  ...["6.987654321G", "5.444T", "1.", "1.G", "007", "+5", "1234567M", "1080m", "1e-3"].map(
    (text) => [text, text] as const,
  ),
  ["1e14", "100e12"],
  ["1e13", "10e12"],
  ["0.001", "1m"],
  ["0.0005k", "500m"],
  ["0.005", "5m"],
  ["0.05", "50m"],
  ["0.5", "500m"],
  ["0.00050k", "500m"],
  ["0.00500", "5m"],
  ["0.05000", "50m"],
  ["0.5e0", "500e-3"],
  ["0.5e-1", "50e-3"],
  ["0.5e-2", "5e-3"],
  ["1.2e3", "1200"],
  ["1.3E+6", "1300e3"],
  ["1.40e9", "1400e6"],
  ["1.53E12", "1530e9"],
  ["1.6e15", "1600e12"],
  ["1.7E18", "1700e15"],
  ["9.01", "9010m"],
  ["8.1k", "8100"],
  ["40.1T", "40100G"],
  ["300.2T", "300200G"],
  ["2.5P", "2500T"],
  ["1.01E", "1010P"],
  ["3.001n", "4n"],
  ["1.1E-9", "2e-9"],
  ["0.0000000001", "1n"],
  ["0.0000000005", "1n"],
  ["0.00000000050", "1n"],
  ["0.5e-9", "1e-9"],
  ["0.9n", "1n"],
  ["0.00000012345", "124n"],
  ["0.00000012354", "124n"],
  ["9Ei", "9223372036854775807"],
  ["9223372036854775807Ki", "9223372036854775807"],
  ["3Ei", "3Ei"],
  ["100.035Ki", "102435840m"],
  ["0.5Mi", "512Ki"],
  ["0.05Gi", "53687091200m"],
  ["0.025Ti", "27487790694400m"],
  ["0.000000000001Ki", "2n"],
  [".001", "1m"],
  [".0001k", "100m"],
  ["1024Mi", "1Gi"],
  ["307200Ki", "300Mi"],
  ["1025024Mi", "1001Gi"],
  ["1024Gi", "1Ti"],
  ["5000m", "5"],
  ["1000M", "1G"],
  ["1000u", "1m"],
  ["1.08", "1080m"],
  ["1080000000n", "1080m"],
  ["0.001T", "1G"],
  [".001e12", "1e9"],
  ["0.001e0", "1e-3"],
  [".001Ki", "1024m"],
  [".000001Ki", "1024u"],
  [".000000001Ki", "1024n"],
  [".000000000001Ki", "2n"],
  [" 1", "1"],
  ["1 ", "1"],
  ["1000000", "1M"],
  ["1048576", "1048576"],
  ["2048Ki", "2Mi"],
];

const format = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const suffix = "unable to parse quantity's suffix";

const invalid: readonly (readonly [sent: string, error: string])[] = [
  ["", format],
  ["1.1.M", format],
  ["1+1.0M", format],
  ["0.1am", format],
  ["aoeu", format],
  ["1 1", format],
  ["0x10", format],
  ["1_000", format],
  ["0.1mi", suffix],
  [".5i", suffix],
  ["1i", suffix],
  ["-3.01i", suffix],
  ["-3.01e-", suffix],
  ["1kM", suffix],
  ["1ki", suffix],
  ["1mi", suffix],
  ["1e", suffix],
  ["1Kib", format],
];

const capacities = "/apis/storage.k8s.io/v1/namespaces/default/csistoragecapacities";
const quotas = "/api/v1/namespaces/default/resourcequotas";

function capacity(amount: unknown): object {
  return { metadata: { name: "c" }, storageClassName: "s", capacity: amount };
}

export const quantityStatements: readonly Statement[] = [
  ...canonical.map(([sent, stored]) => ({
    source,
    says: `the quantity ${JSON.stringify(sent)} is stored as ${stored}`,
    request: tryCreate(capacities, capacity(sent)),
    code: 201,
    answer: { capacity: stored },
  })),
  ...invalid.map(([sent, error]) => ({
    source,
    says: `${JSON.stringify(sent)} is no quantity`,
    request: tryCreate(capacities, capacity(sent)),
    code: 400,
    answer: literally(
      `CSIStorageCapacity in version "v1" cannot be handled as a CSIStorageCapacity: ${error}`,
    ),
  })),
  ...(
    [
      [1, "1"],
      [1.5, "1500m"],
      [1e3, "1k"],
    ] as const
  ).map(([sent, stored]) => ({
    source,
    says: `the number ${sent} is stored as the quantity ${stored}`,
    request: tryCreate(capacities, capacity(sent)),
    code: 201,
    answer: { capacity: stored },
  })),
  ...(
    [
      ["5n", "1m"],
      ["1.1E-9", "1e-3"],
      [".000001Ki", "2m"],
      ["3m", "3m"],
    ] as const
  ).map(([sent, stored]) => ({
    source: "kubernetes, pkg/apis/core/v1/defaults.go, SetDefaults_ResourceList",
    says: `in a quota, ${sent} is rounded up to ${stored}`,
    request: tryCreate(quotas, { metadata: { name: "q" }, spec: { hard: { "requests.cpu": sent } } }),
    code: 201,
    answer: { spec: { hard: { "requests.cpu": stored } } },
  })),
];
