"""A recipe as data: which components, weights and rules make up one BLEU variant; its YAML."""
