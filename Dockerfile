# JupyterLab with the course; see "Where to run it" in the book.
FROM python:3.13-slim
COPY . /opt/dark
RUN pip install --no-cache-dir -e "/opt/dark[lab]" \
    && useradd --create-home student \
    && install -d -o student -g student /opt/dark/work
USER student
WORKDIR /opt/dark
VOLUME /opt/dark/work
EXPOSE 8888
CMD ["dark", "lab", "--no-browser", "--host", "0.0.0.0", "--port", "8888"]
