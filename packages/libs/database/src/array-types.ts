/** The OIDs of types and their array types, the same on every server, for the types that schema and statements use. */
export const ARRAY_TYPES = {
  bool: [16, 1000],
  bytea: [17, 1001],
  int8: [20, 1016],
  int2: [21, 1005],
  int4: [23, 1007],
  text: [25, 1009],
  oid: [26, 1028],
  json: [114, 199],
  float4: [700, 1021],
  float8: [701, 1022],
  date: [1082, 1182],
  timestamptz: [1184, 1185],
  jsonb: [3802, 3807],
} as const;
