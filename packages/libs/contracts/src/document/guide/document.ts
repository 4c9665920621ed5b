/** The parts of an OpenAPI document that the guide reads. */
export interface GuideDocument {
  info: { description: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, GuideOperation>>;
  components: {
    responses: Record<string, GuideAnswer>;
    parameters: Record<string, GuideParameter>;
  };
}

export interface GuideOperation {
  tags: string[];
  summary: string;
  description?: string;
  parameters?: (GuideParameter | Reference)[];
  requestBody?: { content: Record<string, GuideMedia> };
  responses: Record<string, GuideAnswer | Reference>;
}

export interface Reference {
  $ref: string;
}

export interface GuideParameter {
  name: string;
  in: 'path' | 'query' | 'header';
  description?: string;
  schema: { description?: string; type?: string | string[]; enum?: unknown[]; default?: unknown };
}

export interface GuideAnswer {
  description?: string;
  content?: Record<string, GuideMedia>;
}

export interface GuideMedia {
  schema?: { $ref?: string };
  example?: unknown;
  examples?: Record<string, { summary?: string; value: unknown }>;
}
