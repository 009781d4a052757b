# JupyterLab with the course; see "Where to run it" in the book.
FROM python:3.13-slim
COPY . /opt/dark
RUN pip install --no-cache-dir "/opt/dark[lab]" \
    && useradd --create-home student \
    && install -d -o student -g student /home/student/dark-modules
USER student
WORKDIR /home/student
VOLUME /home/student/dark-modules
EXPOSE 8888
CMD ["dark", "lab", "--no-browser", "--host", "0.0.0.0", "--port", "8888"]
